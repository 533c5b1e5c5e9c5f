'use strict';
const js = require('@eslint/js');
const globals = require('globals');

module.exports = [
  js.configs.recommended,
  {
    languageOptions: { sourceType: 'script', ecmaVersion: 2022, globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-shadow': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'text goes into a page as text' },
        { property: 'outerHTML', message: 'text goes into a page as text' },
        { property: 'insertAdjacentHTML', message: 'text goes into a page as text' },
      ],
    },
  },
];
