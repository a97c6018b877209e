"""The parts of `gatepost doctor`; guards.install.doctor names them."""
