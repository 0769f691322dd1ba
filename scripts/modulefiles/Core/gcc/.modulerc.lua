-- Without this the highest number would be the default.
module_version("gcc/12", "default")
hide_version("gcc/14-test")
