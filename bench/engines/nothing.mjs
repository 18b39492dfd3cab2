// Stands for Node's own modules in browsers.
export default {};
