// Enhances components. Without scripts, each is a plain page or field.
import { heedCopies, showCopies } from './copy.js';
import { openDialogs } from './dialog.js';
import { keepDrafts, restoreDraft } from './drafts.js';
import { stayInPlace, watchLive } from './in-place.js';
import { closeMenus } from './menus.js';
import { askForPasskeys } from './passkey.js';
import { sessionUsed, watchSession } from './session.js';
import { watchUploads } from './upload.js';

/** Sets up a page, or a part of one that was replaced. */
function changed(root) {
  showCopies(root);
  watchUploads(root);
  watchLive(changed);
  sessionUsed();
}

changed(document);
heedCopies();
openDialogs(changed);
stayInPlace(changed);
closeMenus();
askForPasskeys(document);
restoreDraft();
keepDrafts();
watchSession();
