"""`kumite check`: good bots pass it, and each broken one fails the step that is about its flaw and no other."""
