"""The leaves of :mod:`workshop.jobs`: small parts that know no scheduler, no site and no rule."""
