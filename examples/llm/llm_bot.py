"""A bot that asks a language model, at any endpoint that speaks the chat completions of OpenAI; standard library only.

    LLM_URL=http://localhost:11434/v1 LLM_MODEL=some-model kumite match honshu py:llm_bot:LanguageModel greedy

The environment says where and what: LLM_URL (the address before /chat/completions), LLM_MODEL, LLM_KEY (the secret, if
one is needed; never in a spec, which is the bot's name), LLM_PRICE_IN and LLM_PRICE_OUT (price of a million tokens).
"""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

from bots.in_words import WordedAsk, event_line
from kumite import AnyAsk, Bot

SHOWN = 60
"""Most options that one message lists."""
ANSWER_BYTES = 4 * 1024 * 1024
"""Most bytes of one answer of the endpoint."""
BUSY = (408, 429, 500, 502, 503, 504)
"""Codes after which the same request may succeed a moment later."""

SYSTEM = (
    "You play the board game {game} against other bots, as {seat}. You get the board in words, a question and the "
    "options, each with its number and, in brackets, what it would bring at once. Think briefly, then end with one "
    "line: 'ANSWER: NUMBER', or 'SEARCH: words' to list the options that hold these words."
)


class Refused(Exception):
    """The endpoint gave no usable answer; the message says why."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the key goes to the endpoint that was named and to no other."""

    def redirect_request(self, *arguments: Any, **more: Any) -> None:
        return None


class LanguageModel(Bot):
    """Asks a language model for every decision."""

    def __init__(self, seconds: float = 60.0, rounds: int = 4):
        """`seconds`: most time of one decision; `rounds`: most messages to the model for one decision."""
        self.url = os.environ.get("LLM_URL", "http://localhost:8080/v1").rstrip("/")
        self.model = os.environ.get("LLM_MODEL", "default")
        self.key = os.environ.get("LLM_KEY", "")
        self.prices = (float(os.environ.get("LLM_PRICE_IN", "0")), float(os.environ.get("LLM_PRICE_OUT", "0")))
        self.seconds = seconds
        self.rounds = rounds
        self.tokens = [0, 0]
        self._opener = urllib.request.build_opener(_NoRedirects)
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"LLM_URL: {self.url!r} is no address: use http://HOST:PORT/v1 or https://HOST/v1")
        if self.key and parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise ValueError("LLM_URL: the key would travel in the open: use https")

    def decide(self, ask: AnyAsk) -> object:
        shown = WordedAsk(ask)
        advice = ask.clock.advice()
        deadline = time.monotonic() + (self.seconds if advice is None else min(self.seconds, max(advice, 1.0)))
        before = list(self.tokens)
        seat = f"seat {ask.seat + 1}"
        messages = [
            {"role": "system", "content": SYSTEM.format(game=ask.game.title, seat=seat)},
            {"role": "user", "content": "\n".join(self.situation(shown))},
        ]
        problem = ""
        for _ in range(self.rounds):
            reply = self.reply(messages, deadline)
            verdict = re.findall(r"^\W*(ANSWER|SEARCH)\W*:\W*?(\S.*?)\W*$", reply, re.MULTILINE | re.IGNORECASE)
            word, text = verdict[-1] if verdict else ("", "")
            if word.upper() == "SEARCH":
                problem = "\n".join(self.found(shown, text))
            elif word:
                try:
                    index = shown.found(text)
                except ValueError as wrong:
                    problem = str(wrong)
                else:
                    ask.note(self.spent(before, reply))
                    return index
            else:
                problem = "The last line must be 'ANSWER: NUMBER' or 'SEARCH: words'."
            messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": problem}]
        raise Refused(f"the model gave no option in {self.rounds} messages; the last problem: {problem[:200]}")

    def situation(self, shown: WordedAsk) -> list[str]:
        """What the model is told of one decision."""
        ask = shown.ask
        happened = [event_line(ask.table, event) for event in ask.events]
        lines = [*shown.board(), "", *(["Since your last answer:", *happened, ""] if happened else []), shown.question]
        if ask.count <= SHOWN:
            return [*lines, *shown.listed(range(ask.count))]
        lines += [f"{ask.count} options; the first {SHOWN}:", *shown.listed(range(SHOWN))]
        return [*lines, f"They begin with: {shown.groups()}"] if shown.groups() else lines

    def found(self, shown: WordedAsk, text: str) -> list[str]:
        """The options that hold some words."""
        indices = shown.matching(text)
        if not indices:
            return [f"No option holds all of the words {text!r}."]
        return [f"{len(indices)} options hold {text!r}:", *shown.listed(indices[:SHOWN])]

    def reply(self, messages: list[dict[str, str]], deadline: float) -> str:
        """The model's next message; asks again while the endpoint is busy and time is left. Raises Refused."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Refused("the time for this decision is over")
            try:
                return self.posted(messages, left)
            except urllib.error.HTTPError as error:
                error.close()
                reason = f"{self.url} answers {error.code}"
                if error.code not in BUSY:
                    raise Refused(reason) from None
            except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
                raise Refused(f"{self.url}: {type(error).__name__}") from None
            time.sleep(min(0.5, max(0.0, deadline - time.monotonic())))

    def posted(self, messages: list[dict[str, str]], seconds: float) -> str:
        """The text of one completion; counts its tokens."""
        body = json.dumps({"model": self.model, "messages": messages}).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        request = urllib.request.Request(f"{self.url}/chat/completions", body, headers)
        with self._opener.open(request, timeout=seconds) as response:
            completion = json.loads(response.read(ANSWER_BYTES))
        usage = completion.get("usage") or {}
        self.tokens[0] += int(usage.get("prompt_tokens", 0))
        self.tokens[1] += int(usage.get("completion_tokens", 0))
        return str(completion["choices"][0]["message"]["content"])

    def spent(self, before: list[int], reply: str) -> str:
        """The note of a decision: its tokens and their cost, the cost of the match so far, and the model's words."""
        taken = [now - then for now, then in zip(self.tokens, before, strict=True)]
        words = " ".join(reply.split())
        return (
            f"{self.model}: {taken[0]} + {taken[1]} tokens, cost {self.cost(taken):.6f}, "
            f"{self.cost(self.tokens):.6f} in the match so far; {words[:300]}"
        )

    def cost(self, tokens: list[int]) -> float:
        """The price of tokens read and written."""
        return sum(price * count / 1e6 for price, count in zip(self.prices, tokens, strict=True))
