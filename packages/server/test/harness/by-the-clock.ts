/**
 * For a test that holds something against a number of milliseconds while the machine may be busy with other tests: it has
 * failed when it fails three times.
 */
export const by_the_clock = { retry: 2 };
