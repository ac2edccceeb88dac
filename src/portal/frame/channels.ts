import { catalog } from '../../language/catalog.ts';
import en from './channels.en.json' with { type: 'json' };
import es from './channels.es.json' with { type: 'json' };

/** Names of channels in long lists. */
export const channelNames = catalog({ en, es });
