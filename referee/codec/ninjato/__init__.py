"""The wire format of Ninjato: `encode` for the referee, `decode` for bots."""
