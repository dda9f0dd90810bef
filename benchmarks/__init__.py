"""Measurements. Each figure stands beside a calibration loop of the same run, since machines are noisy."""
