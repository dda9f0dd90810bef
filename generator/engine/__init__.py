"""Where work runs: shards, processes, and the files of a build."""
