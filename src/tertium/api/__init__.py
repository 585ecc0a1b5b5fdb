"""What Python users and the command line call: one module per verb, a typed request in, a result object out."""
