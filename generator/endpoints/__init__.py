"""OpenAI-compatible endpoints: for the runner, the judge and optional paraphrase.

`openai` is imported when a `Client` is opened, not before.
"""

from generator.endpoints.completion import Completion, Status, Usage
from generator.endpoints.configuration import Configuration, Prices

__all__ = ["Completion", "Configuration", "Prices", "Status", "Usage"]
