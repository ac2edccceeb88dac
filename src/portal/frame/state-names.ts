import { catalog } from '../../language/catalog.ts';
import en from './state-names.en.json' with { type: 'json' };
import es from './state-names.es.json' with { type: 'json' };

/** How the states of requests and of mandates are called, whatever the kind. */
export const stateNames = catalog({ en, es });
