"""The wire format of Edo Yashiki: `encode` for the referee, `decode` for bots."""
