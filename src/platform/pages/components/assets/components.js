// What components do more when scripts run; without them every one of these is a page or a field.
import { heedCopies, showCopies } from './copy.js';
import { openDialogs } from './dialog.js';
import { stayInPlace, watchLive } from './in-place.js';
import { closeMenus } from './menus.js';
import { askForPasskeys } from './passkey.js';
import { watchUploads } from './upload.js';

/** What there is to do for a page, and for each part of one that comes in place. */
function changed(root) {
  showCopies(root);
  watchUploads(root);
  watchLive(changed);
}

changed(document);
heedCopies();
openDialogs(changed);
stayInPlace(changed);
closeMenus();
askForPasskeys(document);
