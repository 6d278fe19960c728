//! Bodies of methods: each expression becomes calls of a machine.

use proc_macro2::{Span, TokenStream as Tokens};
use quote::{ToTokens, format_ident, quote};
use syn::{
    BinOp, Block, Error, Expr, ExprIf, ExprMethodCall, Ident, Lit, Pat, Result, Stmt, UnOp,
    spanned::Spanned,
};

use super::{
    Method,
    types::{Classes, Ty},
};

/// What is known while a body is written.
pub(super) struct Writer<'a> {
    pub(super) path: &'a Tokens,
    pub(super) classes: &'a mut Classes,
    pub(super) methods: &'a [Method],
    /// The method being written.
    pub(super) method: &'a Method,
    /// Branches so far: the place of the method, and the condition.
    pub(super) sites: &'a mut Vec<(usize, String)>,
    /// Which method calls which, by their places.
    pub(super) edges: &'a mut Vec<(usize, usize)>,
    /// The place of the method being written.
    pub(super) at: usize,
    /// Variables by scope.
    pub(super) scopes: Vec<Vec<(Ident, Ty)>>,
    /// Whether this is the version with the seeded error.
    pub(super) is_seeded: bool,
}

/// Tokens that compute a value, and its type.
type Typed = (Tokens, Ty);

fn unsupported(what: &str, instead: &str, span: Span) -> Error {
    let instead = if instead.is_empty() { String::new() } else { format!(": {instead}") };
    Error::new(span, format!("{what} is not supported in a subject{instead}"))
}

/// An expression outside the language of subjects, with what to write instead.
fn refused(expression: &Expr) -> Error {
    let (what, instead) = match expression {
        Expr::Match(_) => ("`match`", "write `if` and `else if`"),
        Expr::ForLoop(_) => ("`for`", "write `while`"),
        Expr::Closure(_) => ("a closure", "write a method"),
        Expr::Reference(_) => ("`&`", "`Ref<Class>` is a reference already"),
        Expr::Macro(_) => ("a macro", ""),
        Expr::Try(_) => ("`?`", "a fault ends the call by itself"),
        Expr::Cast(_) => ("`as`", "write `x.cast::<Class>()` for references"),
        Expr::Tuple(_) => ("a tuple", "write a class"),
        Expr::Array(_) | Expr::Repeat(_) => ("`[…]`", "write `Array::<Int>::new(length)`"),
        Expr::Range(_) => ("a range", "write `while`"),
        Expr::Let(_) => ("`let` in a condition", "compare with `null`"),
        Expr::Unsafe(_) => ("`unsafe`", ""),
        Expr::Async(_) | Expr::Await(_) => ("`async`", ""),
        Expr::Call(_) => ("a call of a function", "write a method, as in `self.name()`"),
        _ => ("this expression", ""),
    };
    unsupported(what, instead, expression.span())
}

impl Writer<'_> {
    fn find(&self, name: &Ident) -> Result<Ty> {
        let scopes = self.scopes.iter().rev();
        let mut known = scopes.flat_map(|scope| scope.iter().rev());
        let found = known.find(|(known, _)| known == name);
        found
            .map(|(_, ty)| ty.clone())
            .ok_or_else(|| Error::new(name.span(), format!("there is no variable `{name}` here")))
    }

    fn declare(&mut self, name: &Ident, ty: Ty) {
        self.scopes.last_mut().expect("there is a scope").push((name.clone(), ty));
    }

    fn site(&mut self, condition: &impl ToTokens) -> usize {
        let text = condition.to_token_stream().to_string().replace(" . ", ".");
        self.sites.push((self.at, text));
        self.sites.len() - 1
    }

    /// The statements of a block, and the type of its value.
    pub(super) fn block(&mut self, block: &Block) -> Result<Typed> {
        self.scopes.push(Vec::new());
        let mut written = Tokens::new();
        let mut result = Ty::Unit;
        for (at, statement) in block.stmts.iter().enumerate() {
            let is_last = at + 1 == block.stmts.len();
            let (tokens, ty) = self.statement(statement, is_last)?;
            written.extend(tokens);
            result = ty;
        }
        self.scopes.pop();
        Ok((quote! { { #written } }, result))
    }

    fn statement(&mut self, statement: &Stmt, is_last: bool) -> Result<Typed> {
        match statement {
            Stmt::Local(local) => Ok((self.local(local)?, Ty::Unit)),
            Stmt::Expr(expression, semicolon) => {
                let is_value = is_last && semicolon.is_none();
                let (tokens, ty) = self.effect(expression, is_value)?;
                if is_value && !matches!(ty, Ty::Unit) {
                    return Ok((tokens, ty));
                }
                let ty = if ty == Ty::Never { Ty::Never } else { Ty::Unit };
                Ok((quote! { #tokens; }, ty))
            }
            Stmt::Item(item) => Err(unsupported("an item in a method", "", item.span())),
            Stmt::Macro(it) => Err(unsupported("a macro", "", it.span())),
        }
    }

    fn local(&mut self, local: &syn::Local) -> Result<Tokens> {
        let (pattern, annotation) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.classes.parse(&typed.ty)?)),
            pattern => (pattern, None),
        };
        let Pat::Ident(name) = pattern else {
            return Err(unsupported("a pattern", "name one variable", pattern.span()));
        };
        let Some(init) = &local.init else {
            return Err(unsupported("`let` without a value", "give one", local.span()));
        };
        if let Some((_, diverge)) = &init.diverge {
            return Err(unsupported("`let … else`", "compare with `null`", diverge.span()));
        }
        let (value, ty) = self.value(&init.expr)?;
        if ty == Ty::Null && annotation.is_none() {
            let words = format!("`null` alone has no type: write `let {}: Ref<Class>`", name.ident);
            return Err(Error::new(init.expr.span(), words));
        }
        if let Some(annotation) = &annotation {
            self.classes.expect(&ty, annotation, init.expr.span())?;
        }
        self.declare(&name.ident, annotation.unwrap_or(ty));
        let (mutable, name) = (&name.mutability, &name.ident);
        Ok(quote! { let #mutable #name = #value; })
    }

    /// An expression as a statement, or as the value of a block.
    fn effect(&mut self, expression: &Expr, is_value: bool) -> Result<Typed> {
        match expression {
            Expr::Assign(assign) => {
                let value = self.value(&assign.right)?;
                Ok((self.assign(&assign.left, value, assign.right.span())?, Ty::Unit))
            }
            Expr::Binary(binary) if compound(&binary.op).is_some() => {
                let operator = compound(&binary.op).expect("just seen");
                let (left, _) = self.number(&binary.left)?;
                let (right, _) = self.number(&binary.right)?;
                let path = self.path;
                let value = quote! {{
                    let left = #left;
                    let right = #right;
                    machine.compute(#path::Operator::#operator, left, right)?
                }};
                Ok((self.assign(&binary.left, (value, Ty::Int), binary.span())?, Ty::Unit))
            }
            Expr::If(it) => self.conditional(it, is_value),
            Expr::While(it) => {
                refuse_label(it.label.as_ref())?;
                let condition = self.condition(&it.cond)?;
                let (body, _) = self.block(&it.body)?;
                Ok((quote! { while { machine.step()?; #condition } #body }, Ty::Unit))
            }
            Expr::Loop(it) => {
                refuse_label(it.label.as_ref())?;
                let (body, _) = self.block(&it.body)?;
                let ends = quote! { #body }.to_string().contains("break");
                let ty = if ends { Ty::Unit } else { Ty::Never };
                Ok((quote! { loop { machine.step()?; #body } }, ty))
            }
            Expr::Block(it) if it.label.is_none() => self.block(&it.block),
            _ => self.value(expression),
        }
    }

    fn assign(&mut self, target: &Expr, (value, ty): Typed, span: Span) -> Result<Tokens> {
        match target {
            Expr::Path(path) if path.path.get_ident().is_some() => {
                let name = path.path.get_ident().expect("just seen");
                self.classes.expect(&ty, &self.find(name)?, span)?;
                Ok(quote! { #name = #value })
            }
            Expr::Field(field) => {
                let (object, member, declared) = self.member(field)?;
                self.classes.expect(&ty, &declared, span)?;
                Ok(quote! {{
                    let value = #value;
                    let object = #object;
                    machine.write(object, #member, value)?;
                }})
            }
            Expr::Index(index) => {
                let (array, element) = self.array(&index.expr)?;
                let (at, _) = self.number(&index.index)?;
                self.classes.expect(&ty, &element, span)?;
                let is_reference = element.is_reference();
                Ok(quote! {{
                    let value = #value;
                    let array = #array;
                    let at = #at;
                    machine.set_element(array, at, #is_reference, value)?;
                }})
            }
            _ => Err(unsupported("an assignment to this", "", target.span())),
        }
    }

    fn conditional(&mut self, it: &ExprIf, is_value: bool) -> Result<Typed> {
        if let Some(holds) = self.known(&it.cond) {
            return match (&it.else_branch, holds) {
                (_, true) => self.block(&it.then_branch),
                (Some((_, otherwise)), false) => self.effect(otherwise, is_value),
                (None, false) => Ok((quote! { {} }, Ty::Unit)),
            };
        }
        let condition = self.condition(&it.cond)?;
        let (then, then_ty) = self.block(&it.then_branch)?;
        let Some((_, otherwise)) = &it.else_branch else {
            return Ok((quote! { if #condition #then }, Ty::Unit));
        };
        let (otherwise, else_ty) = match &**otherwise {
            Expr::If(nested) => {
                let (tokens, ty) = self.conditional(nested, is_value)?;
                (quote! { { #tokens } }, ty)
            }
            Expr::Block(block) => self.block(&block.block)?,
            other => return Err(refused(other)),
        };
        if is_value && !then_ty.compares(&else_ty) {
            let words = format!(
                "the branches of this `if` differ: {} and {}",
                self.classes.words(&then_ty),
                self.classes.words(&else_ty)
            );
            return Err(Error::new(it.span(), words));
        }
        let ty = if matches!(then_ty, Ty::Never | Ty::Null) { else_ty } else { then_ty };
        Ok((quote! { if #condition #then else #otherwise }, ty))
    }

    /// The value of a condition that depends only on the version.
    fn known(&self, expression: &Expr) -> Option<bool> {
        match expression {
            Expr::Path(it) => it.path.is_ident("SEEDED").then_some(self.is_seeded),
            Expr::Paren(inner) => self.known(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                self.known(&unary.expr).map(|holds| !holds)
            }
            Expr::Binary(binary) => {
                match (&binary.op, self.known(&binary.left), self.known(&binary.right)) {
                    (BinOp::And(_), Some(false), _) | (BinOp::And(_), _, Some(false)) => {
                        Some(false)
                    }
                    (BinOp::Or(_), Some(true), _) => Some(true),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A condition as a truth value of Rust.
    fn condition(&mut self, expression: &Expr) -> Result<Tokens> {
        let path = self.path;
        if let Some(holds) = self.known(expression) {
            return Ok(quote! { #holds });
        }
        match expression {
            Expr::Paren(inner) => self.condition(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                let inner = self.condition(&unary.expr)?;
                Ok(quote! { !#inner })
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                let (left, right) = (self.condition(&binary.left)?, self.condition(&binary.right)?);
                let operator = &binary.op;
                Ok(quote! { (#left #operator #right) })
            }
            Expr::Binary(binary) if comparison(&binary.op).is_some() => {
                let comparison = comparison(&binary.op).expect("just seen");
                let (left, right) = self.operands(&binary.left, &binary.right, &binary.op)?;
                let site = self.site(expression);
                Ok(quote! {{
                    let left = #left;
                    let right = #right;
                    machine.test(#site, #path::Comparison::#comparison, left, right)?
                }})
            }
            Expr::Lit(lit) if matches!(lit.lit, Lit::Bool(_)) => Ok(quote! { #lit }),
            Expr::MethodCall(call) if call.method == "is" => {
                let (object, _) = self.reference(&call.receiver)?;
                let class = self.turbofish(call)?;
                let site = self.site(expression);
                Ok(quote! {{ let object = #object; machine.is(#site, object, #class)? }})
            }
            _ => {
                let (value, ty) = self.value(expression)?;
                self.classes.expect(&ty, &Ty::Bool, expression.span())?;
                let site = self.site(expression);
                Ok(quote! {{
                    let left = #value;
                    let right = machine.constant(0);
                    machine.test(#site, #path::Comparison::Unequal, left, right)?
                }})
            }
        }
    }

    fn operands(
        &mut self,
        left: &Expr,
        right: &Expr,
        operator: &BinOp,
    ) -> Result<(Tokens, Tokens)> {
        let ((left, first), (right, second)) = (self.value(left)?, self.value(right)?);
        let is_order = !matches!(operator, BinOp::Eq(_) | BinOp::Ne(_));
        if !first.compares(&second) || is_order && first != Ty::Int {
            let (first, second) = (self.classes.words(&first), self.classes.words(&second));
            let words = format!("{first} and {second} cannot be compared in this way");
            return Err(Error::new(operator.span(), words));
        }
        Ok((left, right))
    }

    /// An expression that has a value.
    fn value(&mut self, expression: &Expr) -> Result<Typed> {
        let path = self.path;
        match expression {
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Path(it) => match it.path.get_ident() {
                Some(name) if name == "null" => Ok((quote! { machine.constant(0) }, Ty::Null)),
                Some(name) if name == "self" => Ok((quote! { this }, Ty::Ref(self.method.class))),
                Some(name) => Ok((quote! { #name }, self.find(name)?)),
                None => Err(unsupported("a path", "", it.span())),
            },
            Expr::Field(field) => {
                let (object, member, ty) = self.member(field)?;
                Ok((quote! {{ let object = #object; machine.read(object, #member)? }}, ty))
            }
            Expr::Index(index) => {
                let (array, element) = self.array(&index.expr)?;
                let (at, _) = self.number(&index.index)?;
                let is_reference = element.is_reference();
                let tokens = quote! {{
                    let array = #array;
                    let at = #at;
                    machine.element(array, at, #is_reference)?
                }};
                Ok((tokens, element))
            }
            Expr::Unary(unary) => match unary.op {
                UnOp::Neg(_) => {
                    let (inner, _) = self.number(&unary.expr)?;
                    let tokens = quote! {{
                        let left = machine.constant(0);
                        let right = #inner;
                        machine.compute(#path::Operator::Subtract, left, right)?
                    }};
                    Ok((tokens, Ty::Int))
                }
                UnOp::Not(_) => {
                    let (inner, ty) = self.value(&unary.expr)?;
                    self.classes.expect(&ty, &Ty::Bool, unary.expr.span())?;
                    let tokens = quote! {{
                        let left = #inner;
                        let right = machine.constant(0);
                        machine.compare(#path::Comparison::Equal, left, right)
                    }};
                    Ok((tokens, Ty::Bool))
                }
                _ => Err(unsupported("`*`", "`Ref<Class>` is followed by `.`", unary.span())),
            },
            Expr::Binary(binary) => self.binary(expression, binary),
            Expr::If(it) => {
                if it.else_branch.is_none() {
                    return Err(Error::new(it.span(), "an `if` with a value needs an `else`"));
                }
                self.conditional(it, true)
            }
            Expr::Block(it) if it.label.is_none() => self.block(&it.block),
            Expr::Struct(it) => self.allocation(it),
            Expr::MethodCall(call) => self.call(call),
            Expr::Call(call) => self.function(call, expression),
            Expr::Return(it) => self.returned(it),
            Expr::Break(it) if it.label.is_none() && it.expr.is_none() => {
                Ok((quote! { break }, Ty::Never))
            }
            Expr::Continue(it) if it.label.is_none() => Ok((quote! { continue }, Ty::Never)),
            other => Err(refused(other)),
        }
    }

    fn literal(&mut self, literal: &Lit) -> Result<Typed> {
        match literal {
            Lit::Int(number) => {
                let number: i32 = number.base10_parse()?;
                Ok((quote! { machine.constant(#number) }, Ty::Int))
            }
            Lit::Bool(it) => {
                let number = i32::from(it.value);
                Ok((quote! { machine.constant(#number) }, Ty::Bool))
            }
            other => Err(unsupported("this literal", "write a number", other.span())),
        }
    }

    fn binary(&mut self, expression: &Expr, binary: &syn::ExprBinary) -> Result<Typed> {
        let path = self.path;
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            let condition = self.condition(expression)?;
            let tokens = quote! {{ let holds = #condition; machine.constant(holds as i32) }};
            return Ok((tokens, Ty::Bool));
        }
        if let Some(comparison) = comparison(&binary.op) {
            let (left, right) = self.operands(&binary.left, &binary.right, &binary.op)?;
            let tokens = quote! {{
                let left = #left;
                let right = #right;
                machine.compare(#path::Comparison::#comparison, left, right)
            }};
            return Ok((tokens, Ty::Bool));
        }
        let Some(operator) = operator(&binary.op) else {
            let operator = binary.op.to_token_stream();
            return Err(unsupported(&format!("`{operator}`"), "", binary.op.span()));
        };
        let ((left, _), (right, _)) = (self.number(&binary.left)?, self.number(&binary.right)?);
        let tokens = quote! {{
            let left = #left;
            let right = #right;
            machine.compute(#path::Operator::#operator, left, right)?
        }};
        Ok((tokens, Ty::Int))
    }

    fn number(&mut self, expression: &Expr) -> Result<Typed> {
        let (value, ty) = self.value(expression)?;
        self.classes.expect(&ty, &Ty::Int, expression.span())?;
        Ok((value, ty))
    }

    fn reference(&mut self, expression: &Expr) -> Result<Typed> {
        let (value, ty) = self.value(expression)?;
        if ty.is_reference() {
            return Ok((value, ty));
        }
        let words = format!("this is {}, not a reference", self.classes.words(&ty));
        Err(Error::new(expression.span(), words))
    }

    fn array(&mut self, expression: &Expr) -> Result<Typed> {
        let (value, ty) = self.value(expression)?;
        match ty {
            Ty::Array(element) => Ok((value, *element)),
            ty => {
                let words = format!("this is {}, not an array", self.classes.words(&ty));
                Err(Error::new(expression.span(), words))
            }
        }
    }

    /// The object, the member and the type of a field.
    fn member(&mut self, field: &syn::ExprField) -> Result<(Tokens, Tokens, Ty)> {
        let (object, ty) = self.value(&field.base)?;
        let syn::Member::Named(name) = &field.member else {
            return Err(unsupported("a tuple", "name the field", field.span()));
        };
        let Ty::Ref(class) = ty else {
            let words = format!("{} has no fields", self.classes.words(&ty));
            return Err(Error::new(field.base.span(), words));
        };
        let (at, ty) = self.classes.field(class, name)?;
        let (path, is_reference) = (self.path, ty.is_reference());
        let member = quote! { #path::Member { at: #at, is_reference: #is_reference } };
        Ok((object, member, ty))
    }

    fn allocation(&mut self, it: &syn::ExprStruct) -> Result<Typed> {
        let unknown = || Error::new(it.path.span(), "there is no such class in this subject");
        let name = it.path.get_ident().ok_or_else(unknown)?;
        let class = self.classes.class(name).ok_or_else(unknown)?;
        if it.dot2_token.is_some() {
            return Err(unsupported("`..`", "fields that are not named are zero", it.span()));
        }
        let (mut values, mut writes) = (Tokens::new(), Tokens::new());
        for (number, given) in it.fields.iter().enumerate() {
            let syn::Member::Named(field) = &given.member else {
                return Err(unsupported("a tuple", "name the field", given.span()));
            };
            let (at, declared) = self.classes.field(class, field)?;
            let (value, ty) = self.value(&given.expr)?;
            self.classes.expect(&ty, &declared, given.expr.span())?;
            let (path, is_reference) = (self.path, declared.is_reference());
            let variable = format_ident!("value_{number}");
            values.extend(quote! { let #variable = #value; });
            writes.extend(quote! {
                machine.write(
                    object,
                    #path::Member { at: #at, is_reference: #is_reference },
                    #variable,
                )?;
            });
        }
        let tokens = quote! {{
            #values
            let object = machine.allocate(#class)?;
            #writes
            object
        }};
        Ok((tokens, Ty::Ref(class)))
    }

    /// The class in `x.is::<Class>()`.
    fn turbofish(&mut self, call: &ExprMethodCall) -> Result<usize> {
        let named = call.turbofish.as_ref().and_then(|it| it.args.first());
        let wanted = || {
            let words = format!("name the class: `.{}::<Class>()`", call.method);
            Error::new(call.method.span(), words)
        };
        let Some(syn::GenericArgument::Type(syn::Type::Path(path))) = named else {
            return Err(wanted());
        };
        let name = path.path.get_ident().ok_or_else(wanted)?;
        self.classes.class(name).ok_or_else(|| {
            Error::new(name.span(), format!("there is no class `{name}` in this subject"))
        })
    }

    fn call(&mut self, call: &ExprMethodCall) -> Result<Typed> {
        if call.method == "is" {
            let condition = self.condition(&Expr::MethodCall(call.clone()))?;
            let tokens = quote! {{ let holds = #condition; machine.constant(holds as i32) }};
            return Ok((tokens, Ty::Bool));
        }
        if call.method == "cast" {
            let (object, _) = self.reference(&call.receiver)?;
            let class = self.turbofish(call)?;
            let tokens = quote! {{ let object = #object; machine.cast(object, #class)? }};
            return Ok((tokens, Ty::Ref(class)));
        }
        let (receiver, ty) = self.value(&call.receiver)?;
        match ty {
            Ty::Array(_) if call.method == "len" => {
                Ok((quote! {{ let array = #receiver; machine.length(array)? }}, Ty::Int))
            }
            Ty::Ref(class) => self.static_call(call, &receiver, class),
            Ty::Any => self.dynamic_call(call, &receiver),
            ty => {
                let (ty, name) = (self.classes.words(&ty), &call.method);
                Err(Error::new(name.span(), format!("{ty} has no method `{name}`")))
            }
        }
    }

    /// Arguments in variables, and their names.
    fn arguments(
        &mut self,
        call: &ExprMethodCall,
        method: &Method,
    ) -> Result<(Tokens, Vec<Ident>)> {
        if call.args.len() != method.parameters.len() {
            let (name, count) = (&call.method, method.parameters.len());
            let words = format!("`{name}` takes {count} arguments");
            return Err(Error::new(call.method.span(), words));
        }
        let (mut values, mut names) = (Tokens::new(), Vec::new());
        for (number, (argument, (_, declared))) in
            call.args.iter().zip(&method.parameters).enumerate()
        {
            let (value, ty) = self.value(argument)?;
            self.classes.expect(&ty, declared, argument.span())?;
            let name = format_ident!("argument_{number}");
            values.extend(quote! { let #name = #value; });
            names.push(name);
        }
        Ok((values, names))
    }

    fn static_call(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Tokens,
        class: usize,
    ) -> Result<Typed> {
        let methods = self.methods;
        let found = methods.iter().position(|it| it.class == class && it.name == call.method);
        let Some(callee) = found else {
            let (class, name) = (&self.classes.declared[class].name, &call.method);
            let words = format!("`{class}` has no method `{name}`");
            return Err(Error::new(name.span(), words));
        };
        let method = &methods[callee];
        self.edges.push((self.at, callee));
        let (values, names) = self.arguments(call, method)?;
        let function = &method.function;
        let tokens = quote! {{
            let receiver = #receiver;
            #values
            #function(machine, receiver, #(#names),*)?
        }};
        Ok((tokens, method.returns.clone()))
    }

    /// A call by the class of the object: a branch for each class that has the method.
    fn dynamic_call(&mut self, call: &ExprMethodCall, receiver: &Tokens) -> Result<Typed> {
        let methods: &[Method] = self.methods;
        let named = |at: &usize| methods[*at].name == call.method;
        let callees: Vec<usize> = (0..methods.len()).filter(named).collect();
        let candidates: Vec<&Method> = callees.iter().map(|&callee| &methods[callee]).collect();
        self.edges.extend(callees.iter().map(|&callee| (self.at, callee)));
        let Some(first) = candidates.first() else {
            let name = &call.method;
            let words = format!("no class has a method `{name}`");
            return Err(Error::new(name.span(), words));
        };
        let (values, names) = self.arguments(call, first)?;
        let mut arms = Tokens::new();
        for method in &candidates {
            let same = method.returns == first.returns
                && method
                    .parameters
                    .iter()
                    .map(|it| &it.1)
                    .eq(first.parameters.iter().map(|it| &it.1));
            if !same {
                let words =
                    format!("the methods `{}` of the classes differ in their types", call.method);
                return Err(Error::new(call.method.span(), words));
            }
            let site = self.site(&call);
            let (class, function) = (method.class, &method.function);
            arms.extend(quote! {
                if machine.is(#site, receiver, #class)? {
                    #function(machine, receiver, #(#names),*)?
                } else
            });
        }
        let last = candidates[0].class;
        let path = self.path;
        let tokens = quote! {{
            let receiver = #receiver;
            #values
            #arms {
                let null = machine.constant(0);
                if machine.test(usize::MAX, #path::Comparison::Equal, receiver, null)? {
                    return ::core::result::Result::Err(#path::Reason::Null.into());
                }
                machine.cast(receiver, #last)?
            }
        }};
        Ok((tokens, first.returns.clone()))
    }

    /// `fail`, `throw` and `Array::new`.
    fn function(&mut self, call: &syn::ExprCall, expression: &Expr) -> Result<Typed> {
        let Expr::Path(function) = &*call.func else { return Err(refused(expression)) };
        let path = self.path;
        if let Some(name) = function.path.get_ident().filter(|it| *it == "fail" || *it == "throw") {
            let text = match call.args.first() {
                Some(Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. })) => text,
                _ => {
                    return Err(Error::new(
                        call.span(),
                        format!("`{name}` takes a text: `{name}(\"…\")`"),
                    ));
                }
            };
            let reason = if name == "fail" {
                quote! { Failed }
            } else {
                quote! { Thrown }
            };
            let tokens = quote! {{
                machine.say(#text);
                return ::core::result::Result::Err(#path::Reason::#reason.into());
            }};
            return Ok((tokens, Ty::Never));
        }
        let segments: Vec<_> = function.path.segments.iter().collect();
        let is_array =
            matches!(&segments[..], [array, new] if array.ident == "Array" && new.ident == "new");
        if !is_array {
            return Err(refused(expression));
        }
        let array = segments[0];
        let declared: syn::Type = syn::parse2(quote! { #array }).or_else(|_| {
            let syn::PathArguments::AngleBracketed(inner) = &array.arguments else {
                return Err(Error::new(array.span(), "write `Array::<Int>::new(length)`"));
            };
            let inner = &inner.args;
            syn::parse2(quote! { Array<#inner> })
        })?;
        let Ok(Ty::Array(element)) = self.classes.parse(&declared) else {
            return Err(Error::new(array.span(), "write `Array::<Int>::new(length)`"));
        };
        let [length] = &call.args.iter().collect::<Vec<_>>()[..] else {
            return Err(Error::new(call.span(), "an array needs its length"));
        };
        let (length, _) = self.number(length)?;
        let class = self.classes.array(&element);
        let tokens = quote! {{ let length = #length; machine.allocate_array(#class, length)? }};
        Ok((tokens, Ty::Array(element)))
    }

    fn returned(&mut self, it: &syn::ExprReturn) -> Result<Typed> {
        let expected = self.method.returns.clone();
        let value = match &it.expr {
            Some(expression) => {
                let (value, ty) = self.value(expression)?;
                self.classes.expect(&ty, &expected, expression.span())?;
                value
            }
            None => {
                self.classes.expect(&Ty::Unit, &expected, it.span())?;
                quote! { machine.constant(0) }
            }
        };
        Ok((quote! { return ::core::result::Result::Ok(#value) }, Ty::Never))
    }
}

fn refuse_label(label: Option<&syn::Label>) -> Result<()> {
    label.map_or(Ok(()), |label| Err(unsupported("a label", "write a method", label.span())))
}

fn comparison(operator: &BinOp) -> Option<Tokens> {
    Some(match operator {
        BinOp::Eq(_) => quote! { Equal },
        BinOp::Ne(_) => quote! { Unequal },
        BinOp::Lt(_) => quote! { Less },
        BinOp::Le(_) => quote! { AtMost },
        BinOp::Gt(_) => quote! { Greater },
        BinOp::Ge(_) => quote! { AtLeast },
        _ => return None,
    })
}

fn operator(operator: &BinOp) -> Option<Tokens> {
    Some(match operator {
        BinOp::Add(_) => quote! { Add },
        BinOp::Sub(_) => quote! { Subtract },
        BinOp::Mul(_) => quote! { Multiply },
        BinOp::Div(_) => quote! { Divide },
        BinOp::Rem(_) => quote! { Remainder },
        _ => return None,
    })
}

fn compound(operator: &BinOp) -> Option<Tokens> {
    Some(match operator {
        BinOp::AddAssign(_) => quote! { Add },
        BinOp::SubAssign(_) => quote! { Subtract },
        BinOp::MulAssign(_) => quote! { Multiply },
        BinOp::DivAssign(_) => quote! { Divide },
        BinOp::RemAssign(_) => quote! { Remainder },
        _ => return None,
    })
}
