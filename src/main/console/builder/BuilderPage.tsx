export { default } from '../frame/NotYetPage';
