"""Tests of Edo Yashiki. `oracle` is the rules of the plane once more, plain and slow; `pictures` reads vectors."""
