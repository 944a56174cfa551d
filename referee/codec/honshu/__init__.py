"""The wire format of Honshu: `encode` for the referee, `decode` for bots."""
