// What components do more when scripts run; without them every one of these is a page or a field.
import { openDialogs } from './dialog.js';
import { watchUploads } from './upload.js';

openDialogs();
watchUploads(document);
