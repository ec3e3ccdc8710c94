//! Outlines of a small file of each language.

use acreta_symbols::Language;

use crate::support::check;

#[test]
fn rust() {
    check(
        Language::Rust,
        r##"//! A shop.
#![deny(missing_docs)]
mod shelf;
#[path = "old_till.rs"]
mod till;
use std::fmt;
use crate::{stock::{self, Item}, price as cost};
pub(crate) use super::street::*;
extern crate serde;

pub const LIMIT: usize = 4;
pub struct Shop<T> {
    items: Vec<T>,
}
enum Door { Open, Shut }
pub trait Sell {
    fn sell(&self);
}
impl<T> Shop<T> {
    pub fn open() -> Self { todo!() }
    fn sweep(&self) { let x = crate::broom::take(); fn inner() {} }
}
impl<T> Sell for crate::Shop<T> {
    fn sell(&self) {}
}
type Price = u32;
#[macro_export]
macro_rules! shout { () => {}; }
fn main() {
    use chrono::Utc;
}
#[cfg(test)]
mod tests {
    use super::*;
    use super::super::lane;
    mod deep { use self::well::Water; }
    #[test]
    fn opens() {}
}
"##,
        r"
            + constant LIMIT 11-11
            + struct Shop 12-14
            - enum Door 15-15
            + trait Sell 16-18
            + method sell in Sell 17-17
            + method open in Shop 20-20
            - method sweep in Shop 21-21
            + method sell in Shop 24-24
            - type Price 26-26
            + macro shout 28-28
            - function main 29-31
            - module tests 33-39
            - module deep in tests 36-36
            - function opens in tests 38-38
            relative self::shelf 3
            relative ./old_till.rs 5
            system std::fmt 6
            relative crate::stock 7
            relative crate::stock::Item 7
            relative crate::price 7
            relative super::street::* 8
            absolute serde 9
            relative crate::broom::take 21
            relative crate::Shop 23
            absolute chrono::Utc 30
            relative self::* 34
            relative super::lane 35
            relative self::tests::deep::well::Water 36
            entry main
        ",
    );
}

#[test]
fn python() {
    check(
        Language::Python,
        r#"#!/usr/bin/env python3
from __future__ import annotations
import os, json as j
import shop.stock
from shop.price import (Price, tax as vat)
from . import sibling
from ..lane import walk
from kitchen import *

LIMIT = 3
_hidden, other = 1, 2
type Pair[T] = tuple[T, T]

class Shop(Base):
    DOORS: int = 2

    def __init__(self):
        import late
        self.x = 1

    @property
    def _stock(self):
        def inner(): pass
        return 1

@decorated
async def sell(item):
    return item

if __name__ == "__main__":
    sell(1)
"#,
        r"
            + constant LIMIT 10-10
            + type Pair 12-12
            + class Shop 14-24
            + constant DOORS in Shop 15-15
            + method __init__ in Shop 17-19
            - method _stock in Shop 22-24
            + function sell 27-28
            system os 3
            system json 3
            absolute shop.stock 4
            absolute shop.price.Price 5
            absolute shop.price.tax 5
            relative .sibling 6
            relative ..lane.walk 7
            absolute kitchen.* 8
            absolute late 18
            entry script
        ",
    );
}

#[test]
fn typescript() {
    check(
        Language::TypeScript,
        r#"import { Stock, type Item } from "./stock";
import fs from 'node:fs';
import path = require("path");
export * from "./price";
import type { Tax } from "@shop/tax";
import "./styles.css";

export interface Door { open(): void; width: number }
export type Price = number;
export enum Side { Left, Right }
export abstract class Shop<T> extends Base {
  private count = 0;
  static make = () => 1;
  constructor(readonly x: number) { super(); }
  private sweep(): void { const later = import("./broom"); }
  abstract sell(): void;
  get size() { return 1; }
}
const hidden = () => 1;
export const LIMIT = 3, visible = function () {};
function late() {}
export { late };
namespace Yard { export function gate() {} }
declare module "extra" { function f(): void; }
export default function start() { app.listen(80); }
"#,
        r"
            + interface Door 8-8
            + method open in Door 8-8
            + type Price 9-9
            + enum Side 10-10
            + class Shop 11-18
            + method make in Shop 13-13
            + method constructor in Shop 14-14
            - method sweep in Shop 15-15
            + method sell in Shop 16-16
            + method size in Shop 17-17
            - function hidden 19-19
            + constant LIMIT 20-20
            + function visible 20-20
            + function late 21-21
            - module Yard 23-23
            + function gate in Yard 23-23
            - module extra 24-24
            - function f in extra 24-24
            + function start 25-25
            relative ./stock 1
            system node:fs 2
            system path 3
            relative ./price 4
            absolute @shop/tax 5
            relative ./styles.css 6
            relative ./broom 15
            entry server
        ",
    );
}

#[test]
fn tsx() {
    check(
        Language::Tsx,
        r#"import React from "react";
export const Door = ({ wide }: Props) => <div>{wide && <Hinge />}</div>;
export function Hinge(): JSX.Element { return <b>x</b>; }
"#,
        r"
            + function Door 2-2
            + function Hinge 3-3
            absolute react 1
        ",
    );
}

#[test]
fn javascript() {
    check(
        Language::JavaScript,
        r#"#!/usr/bin/env node
'use strict';
const stock = require('./stock');
const { price } = require("shop-price");
function Shop() {}
Shop.prototype.sell = function (item) { return require('./late'); };
class Door { #lock() {} open() {} }
const helpers = { clean() {}, count: 1 };
exports.walk = function () {};
module.exports = { Shop, door: Door };
if (require.main === module) { new Shop(); }
"#,
        r"
            + function Shop 5-5
            + method sell in Shop 6-6
            + class Door 7-7
            - method #lock in Door 7-7
            + method open in Door 7-7
            - constant helpers 8-8
            + method clean in helpers 8-8
            + function walk 9-9
            relative ./stock 3
            absolute shop-price 4
            relative ./late 6
            entry script
        ",
    );
    check(
        Language::JavaScript,
        r#"import { sell } from '../shop.js';
describe('sell', () => {
  const local = () => 1;
  it('sells', () => { expect(sell()).toBe(1); });
});
"#,
        r"
            relative ../shop.js 1
            test
        ",
    );
}

#[test]
fn go() {
    check(
        Language::Go,
        r#"package main

import (
	"fmt"
	log "example.org/shop/log"
	_ "./local"
)

const Limit, floor = 3, 1

var ErrShut = fmt.Errorf("shut")

type Shop[T any] struct{ items []T }
type Seller interface{ Sell() error }
type price = int

func (s *Shop[T]) Sell(item T) error { const inner = 1; return nil }
func (Shop[T]) sweep() {}
func main() {}
"#,
        r"
            + constant Limit 9-9
            - constant floor 9-9
            + constant ErrShut 11-11
            + struct Shop 13-13
            + interface Seller 14-14
            - type price 15-15
            + method Sell in Shop 17-17
            - method sweep in Shop 18-18
            - function main 19-19
            system fmt 4
            absolute example.org/shop/log 5
            relative ./local 6
            entry main
        ",
    );
    check(
        Language::Go,
        "package shop_test\nimport \"testing\"\nfunc TestSell(t *testing.T) {}\n",
        r"
            + function TestSell 3-3
            system testing 2
            test
        ",
    );
}

#[test]
fn java() {
    check(
        Language::Java,
        r#"package org.example.shop;

import java.util.List;
import static org.example.Tax.rate;
import org.example.stock.*;

@Service
public class Shop extends Base {
    public static final int LIMIT = 3;
    private int count;
    public Shop() {}
    @Override
    protected void sell(List<String> items) { class Inner {} }
    enum Door { OPEN { void x() {} }, SHUT }
    interface Seller { int PRICE = 1; void sell(); }
    public static void main(String[] args) {}
}
record Point(int x, int y) {}
@interface Marked {}
"#,
        r"
            + class Shop 7-17
            + constant LIMIT in Shop 9-9
            + method Shop in Shop 11-11
            - method sell in Shop 12-13
            - enum Door in Shop 14-14
            - method x in Door 14-14
            - interface Seller in Shop 15-15
            + constant PRICE in Seller 15-15
            + method sell in Seller 15-15
            + method main in Shop 16-16
            - class Point 18-18
            - interface Marked 19-19
            system java.util.List 3
            absolute org.example.Tax.rate 4
            absolute org.example.stock.* 5
            entry main
        ",
    );
    check(
        Language::Java,
        "class ShopTest {\n  @Test\n  void sells() {}\n}\n",
        r"
            - class ShopTest 1-4
            - method sells in ShopTest 2-3
            test
        ",
    );
}

#[test]
fn c() {
    check(
        Language::C,
        r#"#ifndef SHOP_H
#define SHOP_H
#include <stdio.h>
#include "stock/item.h"
#include SHOP_CONFIG
#define LIMIT 3
#define TWICE(x) ((x) * 2)
struct door { int width; };
typedef struct { int x; } point;
typedef struct shop shop_t;
typedef struct node { int y; } node;
typedef int (*seller)(int);
enum side { LEFT, RIGHT };
extern int sell(const char *name, int count);
static int *sweep(void) { int local(void); return 0; }
int counter = 1;
int (*handler)(int);
int main(int argc, char **argv) { return 0; }
#endif
"#,
        r"
            + constant LIMIT 6-6
            + macro TWICE 7-7
            + struct door 8-8
            + struct point 9-9
            + type shop_t 10-10
            + struct node 11-11
            + type seller 12-12
            + enum side 13-13
            + function sell 14-14
            - function sweep 15-15
            + function main 18-18
            system <stdio.h> 3
            relative stock/item.h 4
            entry main
        ",
    );
}

#[test]
fn cpp() {
    check(
        Language::Cpp,
        r#"#include <vector>
#include "shop.hpp"
namespace shop::inner {
template <typename T>
class Shop : public Base {
  int hidden();
public:
  Shop();
  ~Shop() = default;
  void sell(const T& item) const { run(); }
  bool operator==(const Shop& other) const;
private:
  void sweep();
};
using Price = int;
namespace { void local() {} }
}
template <typename T> void shop::inner::Shop<T>::sell_all() {}
auto total(int a) -> int { return a; }
int main() { return 0; }
"#,
        r"
            + module shop::inner 3-17
            + class Shop in shop::inner 5-14
            - method hidden in Shop 6-6
            + method Shop in Shop 8-8
            + method ~Shop in Shop 9-9
            + method sell in Shop 10-10
            + method operator== in Shop 11-11
            - method sweep in Shop 13-13
            + type Price in shop::inner 15-15
            - function local 16-16
            + method sell_all in Shop 18-18
            + function total 19-19
            + function main 20-20
            system <vector> 1
            relative shop.hpp 2
            entry main
        ",
    );
    // A C++ header without the extension of one.
    check(
        Language::C,
        "class Door {\npublic:\n  void open();\n};\n",
        r"
            + class Door 1-4
            + method open in Door 3-3
        ",
    );
    check(
        Language::Cpp,
        "#include <gtest/gtest.h>\nTEST(Shop, Sells) {\n  EXPECT_EQ(1, 1);\n}\n",
        r"
            system <gtest/gtest.h> 1
            test
        ",
    );
}

#[test]
fn csharp() {
    check(
        Language::CSharp,
        r#"using System.Text;
using static Example.Tax;
using Money = Example.Price.Money;

namespace Example.Shop
{
    public interface ISeller { void Sell(); }
    internal class Shop<T> : ISeller where T : class
    {
        public const int Limit = 3;
        private readonly int count;
        public Shop() { }
        public async Task<int> Sell(T item) { int local() => 1; return 1; }
        void Sweep() { }
        public int Size { get; set; }
        static void Main(string[] args) { }
    }
    public record Point(int X, int Y);
    public struct Door { }
    public enum Side { Left, Right }
    public delegate void Sold(int x);
}
"#,
        r"
            + module Example.Shop 5-22
            + interface ISeller in Example.Shop 7-7
            + method Sell in ISeller 7-7
            + class Shop in Example.Shop 8-17
            + constant Limit in Shop 10-10
            + method Shop in Shop 12-12
            + method Sell in Shop 13-13
            - method Sweep in Shop 14-14
            - method Main in Shop 16-16
            + class Point in Example.Shop 18-18
            + struct Door in Example.Shop 19-19
            + enum Side in Example.Shop 20-20
            + type Sold in Example.Shop 21-21
            system System.Text 1
            absolute Example.Tax 2
            absolute Example.Price.Money 3
            entry main
        ",
    );
    check(
        Language::CSharp,
        "namespace Example.Tests;\npublic class ShopTests {\n  [Fact]\n  public void Sells() { }\n}\n",
        r"
            + module Example.Tests 1-1
            + class ShopTests 2-5
            + method Sells in ShopTests 3-4
            test
        ",
    );
    check(
        Language::CSharp,
        "using System;\nConsole.WriteLine(1);\n",
        r"
            system System 1
            entry main
        ",
    );
}

#[test]
fn ruby() {
    check(
        Language::Ruby,
        r#"require 'json'
require "shop/stock"
require_relative 'lane'
autoload :Late, 'shop/late'
require "dynamic/#{name}"

module Shop
  LIMIT = 3
  class Counter < Base
    attr_reader :count
    def initialize(count)
      @count = count
      require 'inner/one'
    end

    def self.open; end
    private :count
    def still_public?; end

    private

    def sweep; end
  end
end

def helper; end

if __FILE__ == $0
  helper
end
"#,
        r"
            + module Shop 7-24
            + constant LIMIT in Shop 8-8
            + class Counter in Shop 9-23
            + method initialize in Counter 11-14
            + method open in Counter 16-16
            + method still_public? in Counter 18-18
            - method sweep in Counter 22-22
            + function helper 26-26
            system json 1
            absolute shop/stock 2
            relative ./lane 3
            absolute shop/late 4
            absolute inner/one 13
            entry script
        ",
    );
    check(
        Language::Ruby,
        "RSpec.describe Shop do\n  it 'sells' do\n  end\nend\n",
        r"
            test
        ",
    );
}

#[test]
fn php() {
    check(
        Language::Php,
        r#"<?php
namespace Example\Shop;

use Example\Stock\Item;
use Example\Price\{Money, Tax as Vat};
use function Example\helper;
require_once __DIR__ . '/bootstrap.php';
include 'late.php';
require $computed . '/x.php';

const LIMIT = 3;
interface Seller { public function sell(): void; }
trait Sweeps { protected function sweep() {} }
enum Side: string { case Left = 'l'; }
abstract class Shop extends Base implements Seller {
    use Sweeps;
    private const DOORS = 2;
    public function __construct(private int $count) {}
    private function hidden() { require 'inner.php'; }
    abstract static function make();
}
function total($items) { return 1; }
"#,
        r"
            + module Example\Shop 2-2
            + constant LIMIT 11-11
            + interface Seller 12-12
            + method sell in Seller 12-12
            + trait Sweeps 13-13
            - method sweep in Sweeps 13-13
            + enum Side 14-14
            + class Shop 15-21
            - constant DOORS in Shop 17-17
            + method __construct in Shop 18-18
            - method hidden in Shop 19-19
            + method make in Shop 20-20
            + function total 22-22
            absolute Example\Stock\Item 4
            absolute Example\Price\Money 5
            absolute Example\Price\Tax 5
            absolute Example\helper 6
            relative ./bootstrap.php 7
            relative late.php 8
            relative inner.php 19
        ",
    );
    check(
        Language::Php,
        "<?php\nfinal class ShopTest extends TestCase {\n  public function testSells() {}\n}\n",
        r"
            + class ShopTest 2-4
            + method testSells in ShopTest 3-3
            test
        ",
    );
}
