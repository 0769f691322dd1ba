A site file with three mistakes, and what the check says about them.

  $ sed -e 's/status: local/status: open/' -e 's/max_time: 4 h/max_time: 4:00/' -e 's/form: course/forms: course/' \
  >   scripts/sites/examples/my-cluster.yml > my-cluster.yml
  $ workshop sites my-cluster.yml
  my-cluster.yml, line 5, key status: 'open' does not fit.
    Remedy: One of: live, local (open to its own universities only), historical (no longer there), unofficial-sources (facts from users only), software (no one cluster: each installation decides).
  my-cluster.yml, line 29, key account.forms: no such key.
    Remedy: did you mean 'form'? Keys here: rule, form, gpu_form, pattern, find.
  my-cluster.yml, line 34, key partitions.0.max_time: YAML reads 4:00 as 240, not text.
    Remedy: A number, a space and a unit: '15 min', '24 h', '7 d' (never 1:30, which schedulers read differently).
  [2]
