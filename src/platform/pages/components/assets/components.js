// What components do more when scripts run; without them every one of these is a page or a field.
import { openDialogs } from './dialog.js';
import { stayInPlace, watchLive } from './in-place.js';
import { watchUploads } from './upload.js';

openDialogs();
watchUploads(document);
stayInPlace(watchUploads);
watchLive(watchUploads);
