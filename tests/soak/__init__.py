"""Agents at work for minutes beside the open screen: does it tell the truth, and stay small?"""
