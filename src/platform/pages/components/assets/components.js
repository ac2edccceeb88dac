// What components do more when scripts run; without them every one of these is a page or a field.
import { offerCopies } from './copy.js';
import { openDialogs } from './dialog.js';
import { stayInPlace, watchLive } from './in-place.js';
import { askForPasskeys } from './passkey.js';
import { watchUploads } from './upload.js';

offerCopies();
openDialogs();
watchUploads(document);
stayInPlace(watchUploads);
watchLive(watchUploads);
askForPasskeys(document);
