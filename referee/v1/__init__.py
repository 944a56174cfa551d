"""Messages and stubs of the wire contract, generated from proto/ by `make proto`. Do not edit."""
