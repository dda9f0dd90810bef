"""Travel: the world, its importer and perturbations, and the tasks asked about it."""
