A site file with three mistakes, and what the check says about them.

  $ sed -e 's/status: local/status: open/' -e 's/max_time: 4 h/max_time: 4:00/' -e 's/form: course/forms: course/' \
  >   "$REPO/scripts/sites/examples/my-cluster.yml" > my-cluster.yml
#show
  $ workshop sites my-cluster.yml
