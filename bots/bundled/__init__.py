"""The opponents that come with Kumite; `bots.specs.BUNDLED` names the module of each."""
