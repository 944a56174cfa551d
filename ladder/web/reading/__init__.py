"""What pages read: the database read-only, what a page is, names as they are shown, and facts of pools."""
