"""Pages about a ladder, in a process of their own: what is played, who leads, and how sure that is.

`reading` reads the database (read-only) and notices when what pages show has changed; `pages` has one module for each
page, whose `load` returns plain data: the JSON twin of the page, from which a template of `templates` draws the HTML;
`drawing` has figures in words, first sentences and plots as SVG; `site` joins the three and is what the server (`app`)
and `publish` share. README.md tells how a page is made.
"""
