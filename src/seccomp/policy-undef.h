/* policy-undef.h - end of one reading of policy.def; no include guard, read once for each */
#undef GROUP
#undef ALLOW
#undef ALLOW_NR
#undef ALLOW_IF
#undef FAIL
#undef OPTION
#undef WITH
#undef WITH_IF
#undef PROBE
