"""What a plugin in Python is written with: helpers that every adapter and extractor needs.

Everything here also runs outside a component, beside the stubs of the role's world, so that a
plugin's logic is tested without a sandbox.
"""
