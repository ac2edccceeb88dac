export type Lang = 'es' | 'en';

export type PageModel = {
  readonly lang: Lang;
  readonly assets: { readonly css: string; readonly js?: string };
  /** Path of the page's GET route. The language switch adds `?lang=`. */
  readonly pageUrl: string;
};

/** The business that a page presents. */
export type Issuer = {
  readonly name: string;
  readonly cuit?: string;
  /** Legal name, address and contact of the issuer. */
  readonly about?: readonly string[];
  readonly logo?: { readonly path: string; readonly width: number; readonly height: number };
  /** Style sheet of its color. */
  readonly sheet?: string;
};
