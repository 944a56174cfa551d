"""Pictures of boards, taken by the viewer in Chromium."""
