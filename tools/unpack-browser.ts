import sparticuz from '@sparticuz/chromium';

/** Unpacks the browser of the packages to `TMPDIR`, where it is not there yet. */
await sparticuz.executablePath();
