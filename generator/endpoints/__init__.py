"""OpenAI-compatible endpoints: for the runner, the judge and optional paraphrase.

    async with Client(from_options("qwen3", base_url="http://127.0.0.1:8000/v1")) as client:
        request = client.prepare(task.messages, task.tools)
        first, second = await client.complete(request, roll=1), await client.complete(request, roll=2)

`openai` is imported when a `Client` is opened, not before.
"""

from generator.endpoints.client import Client, Request
from generator.endpoints.completion import Completion, Status, Usage
from generator.endpoints.configuration import Configuration, Prices
from generator.endpoints.limiter import Limiter
from generator.endpoints.money import cost_of
from generator.endpoints.options import from_options, read_configurations, read_settings
from generator.endpoints.redaction import Redactor, mend_surrogates, redact
from generator.endpoints.retry import RetryBudget, RetryPolicy
from generator.endpoints.transport import ATTEMPT_HEADER, ROLL_HEADER

__all__ = [
    "ATTEMPT_HEADER", "ROLL_HEADER", "Client", "Completion", "Configuration", "Limiter", "Prices", "Redactor",
    "Request", "RetryBudget", "RetryPolicy", "Status", "Usage", "cost_of", "from_options", "mend_surrogates",
    "read_configurations", "read_settings", "redact",
]  # fmt: skip
