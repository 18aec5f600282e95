/** Secret of a new key, which is shown once. */
export interface NewSecret {
  title: string;
  secret: string;
  file?: string;
}
