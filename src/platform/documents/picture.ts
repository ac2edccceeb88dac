/** A picture of a document: its bytes are in it once, however often it is drawn. */
export type Picture = PDFKit.Mixins.ImageSrc;

/** Opens a picture for a document. What is drawn from bytes would be in it as often as it is drawn. */
export const openPicture = (pdf: PDFKit.PDFDocument, bytes: Buffer): Picture =>
  // The types of pdfkit do not know of it; its guide does.
  (pdf as unknown as { openImage(bytes: Buffer): Picture }).openImage(bytes);
