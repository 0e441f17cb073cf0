import pytest

import noslip


@pytest.fixture(scope="session")
def disk():
    return noslip.gallery("rolling-disk")


@pytest.fixture(scope="session")
def sledge():
    return noslip.gallery("chaplygin-sledge")
