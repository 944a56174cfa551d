"""The opponents that come with Kumite; `bots.specs.BUNDLED` says where each one lives."""
