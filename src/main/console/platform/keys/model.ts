export interface NewSecret {
  title: string;
  secret: string;
  file?: string;
}
