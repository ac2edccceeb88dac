export type Lang = 'es' | 'en';

/** Data that every page needs. */
export type PageModel = {
  readonly lang: Lang;
  readonly assets: { readonly css: string; readonly js?: string };
  /** Path of the page as read with GET; the link to the other language adds `?lang=`. */
  readonly pageUrl: string;
};

/** The business in whose name a page speaks. */
export type Issuer = {
  readonly name: string;
  readonly cuit?: string;
  /** Legal name, address and contact of the issuer. */
  readonly about?: readonly string[];
  readonly logo?: { readonly path: string; readonly width: number; readonly height: number };
  /** The style sheet of its colour. */
  readonly sheet?: string;
};
