"""The protocol manual: its tables agree with the code, and every command in it is carried out."""
