"""The importer's rules, and the report that counts each use of one."""

from __future__ import annotations

from generator.records import Frozen

EXAMPLES = 3

RULES: dict[str, str] = {
    "row-without-name": "left out: a place without a name cannot be asked about",
    "row-without-place": "left out: no readable location",
    "row-without-area": "left out: the area is missing or unknown",
    "row-not-object": "left out: the row is not a JSON object",
    "row-repeated": "left out: a place equal to an earlier row in everything but its id",
    "id-prefixed": "the id of a place gets its table's name in front, since tables share ids",
    "id-missing": "the row gets its number as its id",
    "id-respelled": "signs that an id may not have become hyphens",
    "id-repeated": "weekday and departure are added to a train's id, a number to any other",
    "unknown-mark": "'?', an empty text or a missing field becomes unknown",
    "value-unreadable": "the value becomes unknown",
    "field-unused": "a field that the world has no use for is dropped",
    "private-dropped": "phone or postcode is dropped (keep_private keeps it)",
    "text-tidied": "spare space and a comma at the end are taken away",
    "name-capitalised": "a name all in lower case gets capital first letters",
    "name-repeated": "the area, and a number if need be, is added in brackets",
    "name-inside-name": "kept as it is: the name is part of another place's name",
    "kind-respelled": "a misspelt or run-together kind is corrected",
    "point-shared": "kept as it is: several places stand on one point",
    "point-far": "kept as it is: more than 10 km from the middle of all places",
    "point-from-gps": "latitude and longitude are put on the local plane",
    "gps-disagrees": "the metres hold: the GPS position is more than 50 m away",
    "price-in-words": "a number with its unit, or 'free', becomes minor units",
    "price-without-currency": "a bare number is taken to be in whole pounds",
    "price-band-disagrees": "kept as they are: the fee is free and the price range is not, or the reverse",
    "room-unreadable": "left out: an unknown type of room, or one without a readable price",
    "room-missing": "a type of room without an entry is one that the hotel does not have",
    "rooms-missing": "the hotel is kept without rooms",
    "room-prices-equal": "kept as they are: two types of room of a hotel cost the same",
    "room-capacity-assumed": "single sleeps 1, double 2, family 4: the source does not say",
    "stars-zero": "0 stars become unknown",
    "amenity-unreadable": "taken as not there: neither yes nor no",
    "hours-unknown": "opening hours become unknown: '?' or missing",
    "hours-text-read": "free English text was read in full into opening hours",
    "hours-always": "'always' is 00:00 to 24:00 on every day",
    "hours-no-days": "hours that name no day hold on every day",
    "hours-hedged": "'normally' is taken as always",
    "hours-holidays": "bank holidays are ignored: the world has none",
    "hours-suffix-borrowed": "a time without a.m. or p.m. takes that of the time it runs to",
    "hours-seasonal": "opening hours become unknown: they depend on the season or the term",
    "hours-conditional": "opening hours become unknown: they depend on an event or on asking",
    "hours-unreadable": "opening hours become unknown: some word was not understood",
    "hours-past-midnight": "a close that is not after the opening is on the next day",
    "day-closed": "a weekday without an entry is closed",
    "train-unreadable": "left out: route, weekday or a time cannot be read",
    "train-contradicts": "left out: departure, arrival and duration disagree",
    "train-without-price": "left out: no readable price above zero",
    "fare-missing": "the train is kept without that class",
    "first-not-dearer": "first class is left out: it costs no more than standard",
    "time-from-duration": "a missing arrival is departure plus duration",
    "departs-24": "a departure of 24:00 or later is on the next weekday",
    "arrives-24": "an arrival of 24:00 or later is after midnight",
    "arrives-wrapped": "an arrival before the departure is on the next day",
    "home-station": "the town and its station are named after the commonest end of a route",
    "sky-assumed": "the zone is UTC with EU summer time: the source has no zone",
}


class RuleCount(Frozen):
    """How often a rule was used on one table, and on what."""

    rule: str
    table: str
    count: int
    says: str
    examples: tuple[str, ...]


class ImportReport(Frozen):
    """What an import did. `read` and `kept` count rows by table; `plane` says how degrees became metres."""

    read: dict[str, int]
    kept: dict[str, int]
    rules: tuple[RuleCount, ...]
    plane: str

    def count(self, rule: str, table: str | None = None) -> int:
        """Return how often a rule was used, on one table or on all."""
        if rule not in RULES:
            raise KeyError(rule)
        return sum(r.count for r in self.rules if r.rule == rule and table in (None, r.table))

    def lines(self) -> list[str]:
        """Return the report as lines for people, the commonest rules first."""
        head = [f"{table}: {self.kept[table]} of {n} rows kept" for table, n in self.read.items()]
        body = [
            f"{r.count:>6}  {r.table:<10}  {r.rule}: {r.says} ({'; '.join(r.examples)})"
            for r in sorted(self.rules, key=lambda r: (-r.count, r.rule, r.table))
        ]
        return [*head, self.plane, *body]


class Tally:
    """Counts rules as they are used."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._examples: dict[tuple[str, str], list[str]] = {}

    def note(self, rule: str, table: str, example: object) -> None:
        """Count one use; an unknown rule is a fault of ours."""
        if rule not in RULES:
            raise KeyError(rule)
        key = (rule, table)
        self._counts[key] = self._counts.get(key, 0) + 1
        shown = self._examples.setdefault(key, [])
        text = str(example)[:100]
        if len(shown) < EXAMPLES and text not in shown:
            shown.append(text)

    def counts(self) -> tuple[RuleCount, ...]:
        """Return every rule used, by rule and table."""
        return tuple(
            RuleCount(rule=rule, table=table, count=n, says=RULES[rule], examples=tuple(self._examples[rule, table]))
            for (rule, table), n in sorted(self._counts.items())
        )
