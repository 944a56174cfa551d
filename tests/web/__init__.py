"""Tests of the pages: data, HTML, the server, published files, and (where there is a browser) what a reader sees."""
