"""The wire format of The White Castle: `encode` for the referee, `decode` for bots."""
