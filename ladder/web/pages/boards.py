"""The page of boards: several tables that play, each as the public sees it. A server alone has this page."""

from __future__ import annotations

from ladder.web.reading.page import Data, Page, Question
from referee.kernel.registry import names


def _boards(question: Question) -> Data:
    return {"games": names(), "address": question.library.address}


PAGES = (Page("boards", "Home", "/boards", _boards, lambda library: []),)
