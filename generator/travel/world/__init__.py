"""The travel world: invented, imported or perturbed; kept as JSON Lines, asked through a SQLite cache."""

from generator.travel.world.clock import sunset
from generator.travel.world.importer import Imported, ImportReport, import_world
from generator.travel.world.perturb import Perturbed, follow_ids, perturb
from generator.travel.world.perturb_specs import Applied, Change, Group, Stakes, load_perturbations
from generator.travel.world.schema import World
from generator.travel.world.sqlite import Found, WorldCache, build_cache
from generator.travel.world.store import read_world, world_digest, write_world
from generator.travel.world.synthetic import make_world

__all__ = [
    "Applied",
    "Change",
    "Found",
    "Group",
    "ImportReport",
    "Imported",
    "Perturbed",
    "Stakes",
    "World",
    "WorldCache",
    "build_cache",
    "follow_ids",
    "import_world",
    "load_perturbations",
    "make_world",
    "perturb",
    "read_world",
    "sunset",
    "world_digest",
    "write_world",
]
