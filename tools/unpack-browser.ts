import sparticuz from '@sparticuz/chromium';

/** Unpacks the packaged browser to `TMPDIR`, unless it is there already. */
await sparticuz.executablePath();
