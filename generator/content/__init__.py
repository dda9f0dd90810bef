"""The only reader of the content folders: templates, ground_truth and audits."""

from generator.content.loader import ContentRoot, default_root

__all__ = ["ContentRoot", "default_root"]
